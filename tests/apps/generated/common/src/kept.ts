/** What outlives a reload: the cart, by name, and the colours. */
export const keptCart = (): string[] => JSON.parse(localStorage.getItem('cart') ?? '[]')
export const keepCart = (cart: string[]) => localStorage.setItem('cart', JSON.stringify(cart))

export const keptDark = () => localStorage.getItem('dark') === 'yes'
export const keepDark = (dark: boolean) => {
  localStorage.setItem('dark', dark ? 'yes' : 'no')
  document.documentElement.classList.toggle('dark', dark)
}
