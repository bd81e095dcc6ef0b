import { useEffect, useState } from 'react'
import { Account } from './Account'
import { Cart } from './Cart'
import { Footer } from './Footer'
import { Shop } from './Shop'
import { keepCart, keepDark, keptCart, keptDark } from './kept'

function App() {
  const [path, setPath] = useState(location.pathname)
  const [cart, setCart] = useState(keptCart)
  const [isOpen, setOpen] = useState(false)
  const [dark, setDark] = useState(keptDark)
  useEffect(() => {
    const onPop = () => setPath(location.pathname)
    addEventListener('popstate', onPop)
    return () => removeEventListener('popstate', onPop)
  }, [])
  useEffect(() => keepCart(cart), [cart])
  useEffect(() => keepDark(dark), [dark])

  const link = (to: string, name: string) => (
    <a
      href={to}
      className={path === to ? 'current' : undefined}
      onClick={(event) => {
        event.preventDefault()
        history.pushState(null, '', to)
        setPath(to)
      }}
    >
      {name}
    </a>
  )
  return (
    <>
      <header>
        <img className="logo" src="/beans.svg" alt="Corner Roastery" width="40" height="40" />
        <nav>{link('/', 'Shop')} {link('/account', 'Account')}</nav>
        <button type="button" className="open-cart" onClick={() => setOpen(!isOpen)}>
          Open cart <span className="badge">{cart.length}</span>
        </button>
        <button type="button" className="theme" onClick={() => setDark(!dark)}>{dark ? 'Light' : 'Dark'}</button>
      </header>
      {path === '/account' ? <Account /> : <Shop onBuy={(name) => setCart([...cart, name])} />}
      {isOpen && (
        <Cart
          names={cart}
          onRemove={(at) => setCart(cart.filter((_, each) => each !== at))}
          onPay={() => {
            setCart([])
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
        />
      )}
      <Footer />
    </>
  )
}

export default App
