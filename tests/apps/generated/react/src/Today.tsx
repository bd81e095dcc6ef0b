import { useEffect, useState } from 'react'
import { begin, clock, next } from './feed'

export function Today() {
  const [feed, setFeed] = useState(begin)
  const [now, setNow] = useState(clock)
  useEffect(() => {
    const orders = setInterval(() => setFeed(next), 2_000)
    const ticks = setInterval(() => setNow(clock()), 1_000)
    return () => {
      clearInterval(orders)
      clearInterval(ticks)
    }
  }, [])
  return (
    <section className="today">
      <div>
        <h2>Orders today</h2>
        <p><b>{feed.count}</b> so far</p>
        <p>It is <time>{now}</time></p>
      </div>
      <ol>{feed.latest.map((order, at) => <li key={feed.count - at}>{order}</li>)}</ol>
    </section>
  )
}
