/** How long a person still has, in words: `2 h 5 min left`, `4 min 5 s left`, `12 s left`, `time ran out`. */
export function timeLeft(milliseconds: number): string {
  if (milliseconds <= 0) return 'time ran out';
  const all = Math.ceil(milliseconds / 1_000);
  const [hours, minutes, seconds] = [Math.floor(all / 3_600), Math.floor((all % 3_600) / 60), all % 60];
  if (hours > 0) return `${hours} h ${minutes} min left`;
  return minutes > 0 ? `${minutes} min ${seconds} s left` : `${seconds} s left`;
}

/** How often that is said anew, milliseconds: what changes every second is motion too. */
export function timeLeftEvery(isMotionReduced: boolean): number {
  return isMotionReduced ? 10_000 : 1_000;
}
