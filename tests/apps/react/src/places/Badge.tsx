import { memo } from 'react';

export const Badge = memo(function Badge() {
  return <b id="memo">New</b>;
});
