import { useState } from 'react'
import { ORDERS, type Order, shown } from './goods'
import { Tabs } from './Tabs'
import { Today } from './Today'

export function Shop({ onBuy }: { onBuy: (name: string) => void }) {
  const [order, setOrder] = useState<Order>('shelf')
  const [words, setWords] = useState('')
  return (
    <main>
      <h1>Coffee for the corner</h1>
      <Today />
      <div className="tools">
        {ORDERS.map((each) => (
          <button key={each} type="button" className="sort" aria-pressed={each === order} onClick={() => setOrder(each)}>
            By {each}
          </button>
        ))}
        <input className="filter" aria-label="Filter" value={words} onChange={(event) => setWords(event.target.value)} />
      </div>
      <ul className="goods">
        {shown(order, words).map((good) => (
          <li key={good.name}>
            <div className="words"><b>{good.name}</b><p>{good.about}</p></div>
            <div className="end">
              <span className="stars">{good.rating} of 5</span>
              <span className="price">€ {good.price}</span>
              <button type="button" className="buy" onClick={() => onBuy(good.name)}>Add to cart</button>
            </div>
          </li>
        ))}
      </ul>
      <Tabs />
    </main>
  )
}
