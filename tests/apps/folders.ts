/** The framework samples, and which folder holds each. */
export type Framework = 'react' | 'react19' | 'vue' | 'svelte';

/** Both versions of React show the same sample. */
export const folderOf = <Name extends string>(app: Name) => (app === 'react19' ? 'react' : app);
