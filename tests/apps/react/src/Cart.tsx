import { useState } from 'react';
import styles from './Cart.module.css';
import { CartItem } from './CartItem';
import { CheckoutButton } from './CheckoutButton';

const ITEMS = [
  { name: 'Sumatra', grams: 250 },
  { name: 'Harar', grams: 500 },
  { name: 'Antigua', grams: 250 },
];

export function Cart() {
  const [wraps, setWraps] = useState(2);
  return (
    <main className={styles.page}>
      <h1>Cart</h1>
      <ul className={styles.items}>
        {ITEMS.map((item) => (
          <CartItem key={item.name} name={item.name} grams={item.grams} />
        ))}
      </ul>
      <p>{wraps} gift wraps</p>
      <button type="button" onClick={() => setWraps(wraps + 1)}>Add a gift wrap</button>
      <p>Your roaster packs the coffee on the day it is roasted, and sends it the same evening.</p>
      <CheckoutButton label="Check out" />
    </main>
  );
}
