export function CheckoutButton({ label }: { label: string }) {
  return (
    <button type="button" id="checkout">
      {label}
    </button>
  );
}
