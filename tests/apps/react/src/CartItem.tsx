import styles from './Cart.module.css';

export function CartItem({ name, grams }: { name: string; grams: number }) {
  return (
    <li className={styles.item}>
      <b>{name}</b>
      <span className={styles.weight}>{grams} g</span>
      <button type="button">Remove</button>
    </li>
  );
}
