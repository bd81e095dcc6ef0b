export function Footer() {
  return <footer><p>Open from nine to five</p></footer>;
}
