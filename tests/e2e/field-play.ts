/** What a person does with our text field, for the scenarios of it. */
import { own } from './harness/overlay.ts';
import type { World } from './harness/world.ts';

export const PLAIN =
  '<!doctype html><html lang="en"><title>Plain</title><p id="target" style="width: 300px; height: 60px">Here</p>';

export async function openBox(world: World): Promise<void> {
  await world.startPicking();
  await world.overlay.pick('#target');
  await world.overlay.focused('comment-input');
}

/** Saves the comment, whose text as the export has it is given. */
export async function saveByKeys(world: World): Promise<string> {
  const { keyboard } = world.page;
  await keyboard.down('Control');
  await keyboard.press('Enter');
  await keyboard.up('Control');
  await world.until('the pin', async () => (await world.overlay.pins())[0]);
  return JSON.parse(await world.download('export-json')).comments[0].text;
}

/** Whether the field is in a frame of ours, and not in the page. */
export const isFramed = (world: World): Promise<boolean> =>
  world.overlay.$eval(own('comment-input'), (field) => field.localName === 'iframe');
