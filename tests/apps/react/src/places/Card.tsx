import type { ReactNode } from 'react';

export function Card({ children }: { children: ReactNode }) {
  return (
    <section>
      <p id="own">The card’s own words</p>
      {children}
    </section>
  );
}
