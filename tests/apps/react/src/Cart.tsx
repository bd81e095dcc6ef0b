import { useState } from 'react';
import { CheckoutButton } from './CheckoutButton';

export function Cart() {
  const [items, setItems] = useState(2);
  return (
    <main>
      <h1>Cart</h1>
      <p>{items} items</p>
      <button type="button" onClick={() => setItems(items + 1)}>Add one</button>
      <CheckoutButton label="Check out" />
    </main>
  );
}
