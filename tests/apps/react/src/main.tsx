import { createRoot } from 'react-dom/client';
import { Cart } from './Cart';

const root = document.getElementById('root');
if (root) createRoot(root).render(<Cart />);
