/** JSON on lines of its own, for reading. Its words stay as they came: nothing is read and written anew. */

/** Longer texts stay as they are, and those that would be longer than this laid out. Characters. */
const MOST = 20_000;
/** What is deeper stays as it is: each level makes every line in it longer. */
const MOST_DEPTH = 32;

/** With a line for each entry where it is JSON of several; else as it is. */
export function laidOut(text: string): string {
  if (text.length > MOST || !/^\s*[[{]/.test(text) || !isJson(text)) return text;
  const lines: string[] = [];
  let line = '';
  let depth = 0;
  const end = () => {
    if (line.trim()) lines.push(line.trimEnd());
    line = '  '.repeat(depth);
  };
  // A string whole, a sign of structure, white space, or whatever else stands there.
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]|\s+|[^\s"[\]{},:]+/g)) {
    if (part === '{' || part === '[') {
      line += part;
      depth += 1;
      if (depth > MOST_DEPTH) return text;
      end();
    } else if (part === '}' || part === ']') {
      depth -= 1;
      // Nothing in it: it stands behind its beginning.
      const isEmpty = line.trim() === '' && /[{[]$/.test(lines.at(-1) ?? '');
      if (isEmpty) line = `${lines.pop()}${part}`;
      else {
        end();
        line += part;
      }
    } else if (part === ',') {
      line += part;
      end();
    } else if (part === ':') line += ': ';
    else if (part.trim()) line += part;
  }
  end();
  return lines.join('\n');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
