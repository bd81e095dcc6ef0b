import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { Shop } from './Shop';

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <MemoryRouter>
      <Shop />
    </MemoryRouter>,
  );
}
