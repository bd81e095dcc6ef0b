//! The generated types that the face speaks, for TypeScript: the functions name them instead of `any`.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const IMPORTS: &str = r#"
import type { Author } from '../generated/Author';
import type { Chunk } from '../generated/Chunk';
import type { Comment } from '../generated/Comment';
import type { CommentChange } from '../generated/CommentChange';
import type { Evidence } from '../generated/Evidence';
import type { FoundWord } from '../generated/FoundWord';
import type { Judged } from '../generated/Judged';
import type { ProbeFacts } from '../generated/ProbeFacts';
import type { PromptOptions } from '../generated/PromptOptions';
import type { Selection } from '../generated/Selection';
import type { Target } from '../generated/Target';
import type { Varied } from '../generated/Varied';

/** A `Capture` whose lists cross in one piece each. */
export interface PackedCapture {
  version: number;
  url: string;
  title: string;
  viewport: { width: number; height: number };
  /** Every string, each followed by U+0000. */
  strings: string;
  nodes: Int32Array;
  attributes: Uint32Array;
  drawings: Uint32Array;
}

/** One target that is looked for. */
export interface Sought {
  /** The id that `Anchors.keep` gave its anchor and its look. */
  anchor: number;
  /** Why the source may have changed since that look. */
  evidence: Evidence;
  /** The values that it was seen to take by itself. */
  varied?: Varied[];
  /** Where the words stand that the answer before asked for. */
  found?: FoundWord[];
  /** The node that the page holds as its element, by its index; 0: one that is no part of the page any more; absent: none. */
  held?: number;
}
"#;
