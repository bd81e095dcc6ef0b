/** The gateway's WebSocket, for browsers that find no host: the same messages, one in each text frame. */
import { check, type Pairing, PairingEnded, taken } from './gateway';
import { type End, type Listener, type Port, PortEnded, type Way } from './way';

export interface SocketOptions {
  pairing: Pairing;
  /** Called whenever something is sent: a WebSocket alone keeps the background of not every browser awake. */
  stayAwake: () => void;
  /** Whether the gateway still knows the pairing, each time that this shows. */
  known: (isKnown: boolean) => void;
}

/** Close codes of the gateway. */
const AWAY = 1001;
/** The hub will not have this client; the reason says why. */
const POLICY = 1008;
/** The reason of a pairing's end, word for word. A hub that says it otherwise is asked at the next try. */
const TAKEN_BACK = 'the pairing was taken back';

const MEANWHILE = 'Trying again; changes wait here until then.';

export function gatewayWay(options: SocketOptions): Way {
  return { name: 'gateway', open: (listener) => open(options, listener) };
}

function open(options: SocketOptions, listener: Listener): Port {
  const { address, token } = options.pairing;
  // Browsers let no header be sent with it; the subprotocols are the one place that is in no address and no log.
  const socket = new WebSocket(`ws://${address}/ws`, ['opentoolbar.v1', `bearer.${token}`]);
  const early: string[] = [];
  let isOpen = false;
  let isClosed = false;
  const send = (text: string) => {
    socket.send(text);
    options.stayAwake();
  };
  socket.onopen = () => {
    isOpen = true;
    options.known(true);
    for (const text of early.splice(0)) send(text);
  };
  socket.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isClosed) listener.heard(typeof data === 'string' ? parsed(data) : data);
  };
  // Tells nothing; the close that follows says as much as there is.
  socket.onerror = () => {};
  socket.onclose = ({ code, reason }) => {
    if (isClosed) return;
    isClosed = true;
    void explain(options, isOpen, code, reason).then((end) => listener.ended(end));
  };
  return {
    post(message) {
      if (isClosed) throw new PortEnded('The connection to the host ended.');
      const text = JSON.stringify(message);
      if (isOpen) send(text);
      else early.push(text);
    },
    close() {
      isClosed = true;
      socket.close();
    },
  };
}

/** Text that is no JSON goes on as it is: the link says what it thinks of messages. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * How things stand after a close. A browser says nothing of why a connection was not let in, so that one has to ask.
 */
async function explain(
  { pairing, known }: SocketOptions,
  wasOpen: boolean,
  code: number,
  reason: string,
): Promise<End> {
  const where = `${pairing.host} (${pairing.address})`;
  if (wasOpen && code === POLICY && reason === TAKEN_BACK) {
    known(false);
    return { hub: 'lost', detail: taken(pairing) };
  }
  if (wasOpen) {
    const what =
      code === AWAY ? `The host on ${where} ended.` : `The connection to the host on ${where} broke.`;
    return { hub: 'lost', detail: `${what} ${MEANWHILE}` };
  }
  try {
    await check(pairing);
    return { hub: 'lost', detail: `The host on ${where} does not take the connection. ${MEANWHILE}` };
  } catch (failure) {
    if (failure instanceof PairingEnded) {
      known(false);
      return { hub: 'lost', detail: failure.message };
    }
    const why = failure instanceof Error ? failure.message : String(failure);
    return { hub: 'lost', detail: `${why} ${MEANWHILE}` };
  }
}
