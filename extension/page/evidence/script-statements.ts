/**
 * What the statements of a script, and the items of its lists, say without those that a loop of the template wrote once
 * more: of all that stand in one block, list or call, each is there once, where it came first. A set and no runs of
 * repetitions: it holds for rows of any number of statements and of several kinds, with data between them. What it
 * costs: an edit that only repeats what stands beside it already. Pure.
 */

/** A statement that hands data over: it sets something to it, or calls something with it. */
const HANDS_OVER =
  /^#$|^(?:(?:var|let|const) )?(?:\([\w$.#]+=[\w$.#]+\|\|#\)[\w$.]*|[\w$.#]+)(?:=(?:[\w$.#]+\|\|)?#|\(#(?:,#)*\))$/;
/** Tokens that are put together at one time. */
const TOKENS = 20_000;
/** Blocks in blocks in which repetitions are looked for: each of them is gone through once more. */
const MAX_DEPTH = 50;
const OPENS = /^(?:[{[(]|\$\{)$/;
const CLOSES = /^[}\])]$/;
/** After a block these go on with its statement; other names begin one. */
const GOES_ON = /^(?:else|catch|finally|while|in|of|instanceof|from|as)$/;

/** What stands in one pair of brackets so far. */
class Block {
  /** The item that is being put together. */
  own = '';
  private readonly statements = new Set<string>();
  private readonly items = new Set<string>();

  endItem(): void {
    if (this.own) this.items.add(this.own);
    this.own = '';
  }

  /** By a sign, or by a line: which ends none behind a comma. */
  endStatement(isLine = false): void {
    if (isLine && !this.own) return;
    this.endItem();
    if (this.items.size > 0) this.statements.add(joined(this.items, ','));
    this.items.clear();
  }

  ended(): ReadonlySet<string> {
    this.endStatement();
    return this.statements;
  }
}

/**
 * The statements that are not only data, each once. `tokens`: of a script, without data and comments. Yields after each
 * part.
 */
export function* statementsOf(tokens: readonly string[]): Generator<void, string> {
  const blocks = [new Block()];
  let block = blocks[0] as Block;
  /** Of the brackets that are open: deeper ones belong to the last block. */
  let depth = 0;
  let before = '';
  const close = () => {
    const ended = joined(block.ended(), ';');
    blocks.pop();
    block = blocks.at(-1) as Block;
    block.own += ended;
  };
  for (const [place, token] of tokens.entries()) {
    if (place % TOKENS === TOKENS - 1) yield;
    const isOwn = depth < MAX_DEPTH;
    if (isOwn && (token === ';' || token === '\n')) block.endStatement(token === '\n');
    else if (isOwn && token === ',') block.endItem();
    else if (CLOSES.test(token)) {
      if (depth > 0 && depth-- <= MAX_DEPTH - 1) close();
      block.own += token;
    } else {
      if (isOwn && before === '}' && /^[\p{ID_Start}$_]/u.test(token) && !GOES_ON.test(token))
        block.endStatement();
      const isApart = block.own && /[\w$#]$/.test(before) && /^[\w$]/.test(token);
      block.own += isApart ? ` ${token}` : token;
      if (OPENS.test(token) && ++depth < MAX_DEPTH) {
        block = new Block();
        blocks.push(block);
      }
    }
    before = token;
  }
  while (blocks.length > 1) close();
  const kept = [...block.ended()].filter((statement) => !HANDS_OVER.test(statement));
  return kept.join(';');
}

/** Most often there is only one, which is not copied. */
function joined(parts: ReadonlySet<string>, sign: string): string {
  const [first = ''] = parts;
  return parts.size > 1 ? [...parts].join(sign) : first;
}
