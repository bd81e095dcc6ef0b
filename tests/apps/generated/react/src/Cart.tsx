import { GOODS } from './goods'

interface Props {
  names: string[]
  onRemove: (at: number) => void
  onPay: () => void
  onClose: () => void
}

export function Cart({ names, onRemove, onPay, onClose }: Props) {
  const total = names.reduce((sum, name) => sum + (GOODS.find((good) => good.name === name)?.price ?? 0), 0)
  return (
    <div role="dialog" aria-label="Your cart">
      <h2>Your cart</h2>
      <button type="button" className="pay primary" onClick={onPay}>Pay now</button>
      <button type="button" className="close" onClick={onClose}>Close</button>
      <p className="total">Together € {total}</p>
      <ol>
        {names.map((name, at) => (
          <li key={at}>{name} <button type="button" className="remove" onClick={() => onRemove(at)}>Remove</button></li>
        ))}
      </ol>
    </div>
  )
}
