/** Every way in which an element comes into a page of React's, each with an id. */
import { Link } from 'react-router';
import { Badge } from './Badge';
import { Card } from './Card';
import { Clock } from './Clock';
import { Dialog } from './Dialog';
import { Field } from './Field';
import { Note } from './Note';
import { Roast } from './Roast';

const ROASTS = ['sumatra', 'harar'];
const STAMP = <small id="constant">Roasted today</small>;

export function Shop() {
  return (
    <Card>
      <h1 id="child">Shop</h1>
      <ul>
        {ROASTS.map((name) => (
          <Roast key={name} name={name} />
        ))}
      </ul>
      <p>
        {ROASTS.map((name) => (
          <button key={name} type="button" id={`order-${name}`}>Order {name}</button>
        ))}
      </p>
      <p><Link id="library" to="/cart">Cart</Link></p>
      <p><Badge /></p>
      <p><Field /></p>
      <p><Clock /></p>
      <Note />
      <p>{STAMP}</p>
      <Dialog><em id="portal-child">Free delivery</em></Dialog>
    </Card>
  );
}
