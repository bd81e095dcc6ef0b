import { createApp } from 'vue';
import CartPage from './CartPage.vue';

createApp(CartPage).mount('#root');
