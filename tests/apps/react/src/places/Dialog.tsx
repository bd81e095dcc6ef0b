import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';

export function Dialog({ children }: { children: ReactNode }) {
  return createPortal(
    <aside>
      <p id="portal">Today</p>
      {children}
    </aside>,
    document.body,
  );
}
