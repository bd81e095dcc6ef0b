export function Footer() {
  return (
    <footer>
      <p>Open from eight to six</p>
      <a href="#imprint">Imprint</a>
      <a href="#returns">Returns</a>
      <a href="#privacy">Privacy</a>
    </footer>
  )
}
