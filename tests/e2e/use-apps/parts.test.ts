/** The steps and the figures of the verb `use-apps`, without a browser. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TESTS } from '../harness/paths.ts';
import { COMMENTED, FRAMEWORKS, fileOf } from './commented.ts';
import { type Figures, isAsWanted, table } from './figures.ts';
import { STEPS_OF_AN_HOUR, stepsOf } from './steps.ts';

test('a seed gives the same steps again, another seed others', () => {
  assert.deepEqual(stepsOf(7, 100), stepsOf(7, 100));
  assert.notDeepEqual(stepsOf(7, 100), stepsOf(8, 100));
  assert.deepEqual(stepsOf(7, 100).slice(0, 40), stepsOf(7, 40));
});

test('an hour has every kind of step, and many reloads and changes of route', () => {
  const steps = stepsOf(1, STEPS_OF_AN_HOUR);
  assert.equal(steps.length, STEPS_OF_AN_HOUR);
  const often = new Map<string, number>();
  for (const { kind } of steps) often.set(kind, (often.get(kind) ?? 0) + 1);
  assert.equal(often.size, 15);
  assert.ok((often.get('reload') ?? 0) >= 10, 'reloads');
  assert.ok((often.get('route') ?? 0) >= 30, 'changes of route');
});

test('a step is one of the route that the steps before lead to, and none goes back beyond the first page', () => {
  for (let seed = 0; seed < 50; seed++) {
    const visited = ['shop'];
    for (const step of stepsOf(seed, 200)) {
      const route = visited.at(-1);
      assert.ok(route, 'the shop is still open');
      if (['buy', 'tab', 'sort', 'filter'].includes(step.kind)) assert.equal(route, 'shop');
      if (['write', 'tick', 'save'].includes(step.kind)) assert.equal(route, 'account');
      if (step.kind === 'back') visited.pop();
      if (step.kind === 'route') {
        assert.notEqual(step.to, route);
        visited.push(step.to);
      }
    }
  }
});

test('each edit replaces text that stands once in the source of each app', () => {
  for (const framework of FRAMEWORKS) {
    for (const one of COMMENTED) {
      const name = fileOf(framework, one);
      const folder = name.endsWith('.ts') ? 'common' : framework;
      const source = readFileSync(join(TESTS, 'apps/generated', folder, name), 'utf8');
      assert.equal(source.split(one.before).length, 2, `${framework}: ${one.name}`);
    }
  }
});

const WELL: Figures = {
  app: 'vue',
  comments: 10,
  steps: 600,
  byUse: [],
  lost: [],
  edits: 10,
  missed: [],
  byMistake: [],
  seconds: 300.4,
};

test('a run without a mistake is as wanted, and one mistake of any kind is told by its name', () => {
  assert.ok(isAsWanted(WELL));
  assert.equal(table([WELL]).split('\n').length, 3);
  assert.match(table([WELL]), /^\| vue \| 10 \| 600 \| 0 \| 0 \| 10 of 10 \| 0 \| 300 \|$/m);
  for (const kind of ['byUse', 'lost', 'missed', 'byMistake'] as const) {
    const figures = { ...WELL, [kind]: ['price'] };
    assert.ok(!isAsWanted(figures), kind);
    assert.match(table([figures]), /^vue: .*: price$/m);
  }
  assert.match(table([{ ...WELL, missed: ['price'] }]), /9 of 10/);
});
