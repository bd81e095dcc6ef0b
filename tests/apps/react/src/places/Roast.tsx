export function Roast({ name }: { name: string }) {
  return (
    <li>
      <b id={`item-${name}`}>{name}</b>
    </li>
  );
}
