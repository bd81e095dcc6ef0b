import { mount } from 'svelte';
import Cart from './Cart.svelte';

const target = document.getElementById('root');
if (target) mount(Cart, { target });
