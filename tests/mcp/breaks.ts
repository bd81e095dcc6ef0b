/** What is broken of a server's answers, so that a test can show that its client would notice. */

export type Break = 'schema' | 'answer';

type Message = {
  result?: {
    tools?: { inputSchema: Record<string, unknown> }[];
    structuredContent?: Record<string, unknown>;
  };
};

/** The same message with one thing wrong, where there is such a thing in it. */
export function broken(how: string | undefined, line: string): string {
  const message = JSON.parse(line) as Message;
  const { tools, structuredContent } = message.result ?? {};
  // A name for which many models' interfaces refuse the whole tool.
  if (how === 'schema' && tools?.[0])
    tools[0].inputSchema = { type: 'object', properties: { 'no name': true } };
  if (how === 'answer' && structuredContent) structuredContent.comments = 'none';
  return JSON.stringify(message);
}
