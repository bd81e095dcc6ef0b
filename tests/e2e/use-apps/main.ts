/**
 * Ten comments in an app of a generator, an hour's worth of use, ten edits of its source. `cargo xtask use-apps` makes
 * the apps and starts it:
 *
 *   node e2e/use-apps/main.ts --browser chromium|firefox --steps N --seed N [--only NAME] react=FOLDER [vue=FOLDER]
 *   [svelte=FOLDER]
 *
 * A folder is what the generator made, with its packages. Ends with 1 when a comment is outdated by use or by the edit
 * of another element, or is not by the edit of its own.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Agent } from '../harness/agent.ts';
import { type BrowserName, TESTS } from '../harness/paths.ts';
import { drawn } from '../harness/pins.ts';
import { Source } from '../harness/source.ts';
import { until } from '../harness/until.ts';
import { World } from '../harness/world.ts';
import {
  COMMENTED,
  type Commented,
  enter,
  FRAMEWORKS,
  type Framework,
  fileOf,
  type Scene,
} from './commented.ts';
import { type Figures, isAsWanted, table } from './figures.ts';
import { perform, STEPS_OF_AN_HOUR, stepsOf } from './steps.ts';

/** So often while the app is used is it asked which comments are outdated, in steps. */
const ASK_EVERY = 20;
/** Long enough for a look, for a difference to be told, and for what was seen to be kept. */
const REST_MS = 5_500;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    browser: { type: 'string', default: 'chromium' },
    steps: { type: 'string', default: String(STEPS_OF_AN_HOUR) },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
if (values.browser !== 'chromium' && values.browser !== 'firefox')
  throw new Error('--browser chromium or firefox');

const all: Figures[] = [];
for (const each of positionals) {
  const [name, folder] = each.split('=', 2);
  const framework = FRAMEWORKS.find((one) => one === name);
  if (!framework || !folder)
    throw new Error(`${each}: expected one of ${FRAMEWORKS.join(', ')}, = and a folder`);
  all.push(await run(values.browser, framework, folder));
}
console.log(`\n${values.browser}, seed ${values.seed}\n\n${table(all)}`);
if (!all.every(isAsWanted)) process.exitCode = 1;

interface Placed extends Commented {
  id: string;
}

async function run(browser: BrowserName, framework: Framework, folder: string): Promise<Figures> {
  const began = Date.now();
  const tell = (what: string) =>
    console.log(`${framework} ${((Date.now() - began) / 1000).toFixed(0).padStart(4)} s: ${what}`);
  const own = (part: string) => join(TESTS, 'apps/generated', part);
  const world = await World.create(browser, {
    project: {
      name: framework,
      folders: [folder, own('common'), own(framework)],
      server: ['node_modules/vite/bin/vite.js', '--port', '0'],
    },
  });
  try {
    const agent = await world.agent();
    const comments = await point(world, agent);
    tell(`${comments.length} comments`);
    const steps = stepsOf(Number(values.seed), Number(values.steps));
    const byUse = await use(world, agent, comments, steps, tell);
    const lost = await revisit(world, agent, comments, tell);
    const { missed, byMistake } = await edit(world, agent, framework, comments, tell);
    return {
      app: framework,
      comments: comments.length,
      steps: steps.length,
      byUse,
      lost,
      edits: comments.length,
      missed,
      byMistake,
      seconds: (Date.now() - began) / 1000,
    };
  } catch (error) {
    console.error(`What the browser showed and everyone said: ${await world.save(`use-apps ${framework}`)}`);
    throw error;
  } finally {
    await world.close();
  }
}

/** Comments on the ten elements, each stored. */
async function point(world: World, agent: Agent): Promise<Placed[]> {
  const placed: Placed[] = [];
  let scene: Scene | undefined;
  for (const one of COMMENTED.filter(({ name }) => name.includes(values.only))) {
    if (scene !== one.scene) await enter(world.page, world.origin, one.scene);
    scene = one.scene;
    const id = await world.comment(one.selector, `About the ${one.name}`);
    await world.delivered(agent, id);
    placed.push({ ...one, id });
  }
  return placed;
}

async function outdated(agent: Agent, comments: Placed[]): Promise<Set<string>> {
  const { comments: told } = await agent.feedback({ status: 'all', limit: 50 });
  const names = new Set<string>();
  for (const { id, name } of comments) {
    const found = told.find((one) => one.id === id);
    if (!found) throw new Error(`the agent is not told of the comment on the ${name}`);
    if (found.status !== 'active') names.add(name);
  }
  return names;
}

/** What the agent is told of a comment, for whoever looks into a mistake. */
async function said(agent: Agent, id: string): Promise<string> {
  const { comments: told } = await agent.feedback({ status: 'all', detail: 'full', limit: 50 });
  return JSON.stringify(told.find((one) => one.id === id));
}

/** Only pins in the window are drawn, and what is scrolled out of it is not missed. */
async function show(world: World, selector: string): Promise<void> {
  await world.page.evaluate(
    (css) => document.querySelector(css)?.scrollIntoView({ block: 'center' }),
    selector,
  );
}

async function rest(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
}

/** Does the steps; the names of those that were outdated meanwhile. */
async function use(
  world: World,
  agent: Agent,
  comments: Placed[],
  steps: ReturnType<typeof stepsOf>,
  tell: (what: string) => void,
): Promise<string[]> {
  const ever = new Set<string>();
  const ask = async (at: number) => {
    const now = await outdated(agent, comments);
    for (const { id, name } of comments.filter((one) => now.has(one.name) && !ever.has(one.name))) {
      ever.add(name);
      tell(`outdated by use, within the steps before ${at}: ${name}`);
      tell(await said(agent, id));
    }
  };
  await world.page.bringToFront();
  await enter(world.page, world.origin, 'shop');
  for (const [at, step] of steps.entries()) {
    await perform(world.page, step);
    if ((at + 1) % ASK_EVERY === 0) await ask(at + 1);
    if ((at + 1) % 100 === 0) tell(`${at + 1} of ${steps.length} steps, ${ever.size} outdated`);
  }
  await rest();
  await ask(steps.length);
  return [...ever];
}

/** Shows each element once more; the names of those whose pin is not at it. */
async function revisit(
  world: World,
  agent: Agent,
  comments: Placed[],
  tell: (what: string) => void,
): Promise<string[]> {
  const lost: string[] = [];
  for (const scene of new Set(comments.map((one) => one.scene))) {
    await enter(world.page, world.origin, scene);
    await rest();
    const statuses = await outdated(agent, comments);
    for (const { id, name, selector } of comments.filter((one) => one.scene === scene)) {
      await show(world, selector);
      const pin = await until(`the pin of the ${name} is drawn`, () => drawn(world, id)).catch(() => null);
      const place = pin?.place ?? 'not drawn';
      const isThere = place === 'found' || place === 'scrolled';
      if (!isThere) lost.push(`${name} (${place})`);
      tell(
        `${name}: ${statuses.has(name) ? 'outdated' : 'active'}, ${place}${pin?.words ? `, “${pin.words}”` : ''}`,
      );
    }
  }
  return lost;
}

/** Edits the source of one element after the other; each has to be told, and of no other. */
async function edit(
  world: World,
  agent: Agent,
  framework: Framework,
  comments: Placed[],
  tell: (what: string) => void,
): Promise<{ missed: string[]; byMistake: string[] }> {
  const source = new Source(world.project);
  const edited: Placed[] = [];
  const missed = new Set<string>();
  /** Of those: told later on, which is too late. */
  const late = new Set<string>();
  const byMistake = new Map<string, string>();
  const before = await outdated(agent, comments);
  const judge = async (cause: string) => {
    const now = await outdated(agent, comments);
    const wanted = new Set(edited.map((one) => one.name));
    for (const name of wanted) {
      if (missed.has(name) && now.has(name)) late.add(name);
      if (missed.has(name) || now.has(name)) continue;
      missed.add(name);
      tell(`active again ${cause}: ${name}`);
    }
    for (const name of now) {
      if (wanted.has(name) || before.has(name) || byMistake.has(name)) continue;
      byMistake.set(name, `${name} (${cause})`);
      tell(`outdated by mistake ${cause}: ${name}`);
      const wrong = comments.find((one) => one.name === name);
      if (wrong) tell(await said(agent, wrong.id));
    }
  };
  for (const one of comments) {
    await enter(world.page, world.origin, one.scene);
    await show(world, one.selector);
    await rest();
    await judge('at a load');
    const wasOutdated = byMistake.has(one.name) || before.has(one.name);
    await source.edit(fileOf(framework, one), one.before, one.after);
    const isShown = () => until(`the page shows the edit of the ${one.name}`, () => one.edited(world.page));
    await isShown().catch(async () => {
      tell(`${one.name}: its edit is not shown by a hot update; loaded anew, as a person would`);
      await enter(world.page, world.origin, one.scene);
      await isShown();
      await show(world, one.selector);
    });
    const began = Date.now();
    edited.push(one);
    const isTold = await until('told', async () => (await outdated(agent, comments)).has(one.name)).catch(
      () => false,
    );
    tell(
      isTold
        ? `${one.name}: outdated ${((Date.now() - began) / 1000).toFixed(1)} s after its edit was shown`
        : `${one.name}: NOT outdated by its edit`,
    );
    if (wasOutdated) tell(`${one.name}: it was so before, which shows nothing`);
    if (!isTold || wasOutdated) missed.add(one.name);
    await rest();
    await judge(`after the edit of the ${one.name}`);
  }
  for (const scene of new Set(comments.map((one) => one.scene))) {
    await enter(world.page, world.origin, scene);
    await rest();
    await judge('after the last reload');
  }
  if (late.size > 0) tell(`outdated after all, by a later look: ${[...late].join(', ')}`);
  return { missed: [...missed], byMistake: [...byMistake.values()] };
}
