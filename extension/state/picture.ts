/** Pictures of a page. */

/** What a picture of a page shows, in CSS pixels of its viewport. */
export interface PictureFrame {
  /** Where the elements are that it is about; absent: out of view. */
  crop?: DOMRectInit | undefined;
  /** To be painted over. */
  mask: DOMRectInit[];
  viewport: { width: number; height: number };
  devicePixelRatio: number;
}
