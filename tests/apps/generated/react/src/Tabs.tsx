import { useState } from 'react'

const NAMES = ['Roasting', 'Brewing', 'Delivery']

export function Tabs() {
  const [at, setAt] = useState(0)
  return (
    <section>
      <div role="tablist">
        {NAMES.map((name, each) => (
          <button key={name} type="button" role="tab" aria-selected={each === at} onClick={() => setAt(each)}>{name}</button>
        ))}
      </div>
      <div role="tabpanel">
        {at === 0 && <><p className="lead">We roast on Tuesdays and Fridays.</p><p>Each batch has its day printed on the bag.</p></>}
        {at === 1 && <><p className="lead">Sixty grams for a litre of water.</p><p>Let it bloom for half a minute before you pour on.</p></>}
        {at === 2 && <><p className="lead">Parcels leave within two days.</p><p>In town we come by bicycle.</p></>}
      </div>
    </section>
  )
}
