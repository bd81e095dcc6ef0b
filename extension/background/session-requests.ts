/** Asks the hub, and minds what it says of sessions. */
import type { Answer } from '../generated/Answer';
import type { Request } from '../generated/Request';

type Ask = (request: Request, id?: string, sessionId?: string) => Promise<Answer>;

/**
 * Asks with `ask`. A session that is named, by the request or beside it, and that the hub does not know is forgotten
 * with `forget` before the answer is given, so that the next need opens it again.
 */
export function forgetting(ask: Ask, forget: (sessionId: string) => void): Ask {
  return async (request, id, sessionId) => {
    const answer = await ask(request, id, sessionId);
    if (answer.type !== 'error' || answer.payload.code !== 'unknown_session') return answer;
    const named = sessionId ?? namedIn(request);
    if (named !== undefined) forget(named);
    return answer;
  };
}

function namedIn(request: Request): string | undefined {
  const payload: object = 'payload' in request ? request.payload : {};
  return 'sessionId' in payload && typeof payload.sessionId === 'string' ? payload.sessionId : undefined;
}
