import { useState } from 'react'

export function Account() {
  const [saved, setSaved] = useState(0)
  return (
    <main>
      <h1>Your account</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setSaved(saved + 1)
        }}
      >
        <label>Name <input className="name" /></label>
        <label>Email <input className="email" type="email" placeholder="you@example.org" /></label>
        <label><input className="news" type="checkbox" /> Send me what is new</label>
        <button type="submit" className="save">Save</button>
      </form>
      {saved > 0 && <p role="status">Saved, {saved} times by now</p>}
    </main>
  )
}
