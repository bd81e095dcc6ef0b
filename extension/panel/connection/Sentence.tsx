/** A sentence of the background's, with what stands between backticks as code. */
export function Sentence({ text }: { text: string }) {
  return <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part))}</>;
}
