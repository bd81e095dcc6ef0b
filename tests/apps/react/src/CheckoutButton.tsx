import styles from './Cart.module.css';

export function CheckoutButton({ label }: { label: string }) {
  return (
    <button type="button" id="checkout" className={styles.checkout}>
      {label}
    </button>
  );
}
