import { useState } from 'react';
import { Footer } from './Footer';

const GOODS = ['Kettle', 'Grinder', 'Scale'];

/** A page that is used: what it shows depends on what was done in it. */
export function Shop() {
  const [cart, setCart] = useState<string[]>([]);
  const [isOpen, setOpen] = useState(false);
  return (
    <main>
      <h1>Shop</h1>
      <button type="button" id="open-cart" onClick={() => setOpen(!isOpen)}>Open cart ({cart.length})</button>
      <ul id="goods">
        {GOODS.map((name) => (
          <li key={name}>
            <b>{name}</b>
            <button type="button" className="buy" onClick={() => setCart([...cart, name])}>Buy</button>
          </li>
        ))}
      </ul>
      <p id="bought">{cart.length} bought so far</p>
      {isOpen && (
        <div role="dialog" aria-label="Cart">
          <h2>Your cart</h2>
          <ol>{cart.map((name, at) => <li key={at}>{name}</li>)}</ol>
          <button type="button" id="pay">Pay now</button>
        </div>
      )}
      <Footer />
    </main>
  );
}
