import { forwardRef } from 'react';

export const Field = forwardRef<HTMLInputElement>(function Field(_props, ref) {
  return <input id="forward-ref" ref={ref} placeholder="How many" />;
});
