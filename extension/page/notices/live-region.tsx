/** What a screen reader reads out of what is shown elsewhere, unseen. */
import { useEffect, useState } from 'preact/hooks';

/** A region that has just come is not listened to yet. */
const LISTENED_AFTER_MS = 150;

interface Props {
  text: string;
  /** The same text under another mark is read again. */
  mark: string;
}

/** Reads each text once, also the one that it comes with. */
export function LiveRegion({ text, mark }: Props) {
  const [said, setSaid] = useState<Props | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text ? { text, mark } : null), LISTENED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, mark]);
  return (
    <div class="heard" role="status">
      {said && <span key={said.mark}>{said.text}</span>}
    </div>
  );
}
