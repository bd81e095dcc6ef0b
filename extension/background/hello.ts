/** How this browser introduces itself to the hub. */
import { browser } from 'wxt/browser';
import type { Hello } from '../generated/Hello';
import { newId } from '../new-id';
import type { Core } from './core';

/** The first message of every connection. */
export async function hello(core: Core): Promise<Hello> {
  return {
    protocol: core.protocolVersion(),
    version: core.version(),
    role: 'browser',
    client: await clientName(),
    instance: await instance(),
    capabilities: ['chunks', 'source_changes', 'verifications'],
  };
}

const INSTANCE = 'instance';

/** The same for as long as the browser's profile lives: tells it from other browsers of its name. */
async function instance(): Promise<string> {
  const { [INSTANCE]: known } = await browser.storage.local.get(INSTANCE);
  if (typeof known === 'string') return known;
  const fresh = newId('b_');
  await browser.storage.local.set({ [INSTANCE]: fresh });
  return fresh;
}

/** `Chromium 156`, `Firefox 153`: as people know it. */
async function clientName(): Promise<string> {
  const { getBrowserInfo } = browser.runtime as unknown as {
    getBrowserInfo?: () => Promise<{ name: string; version: string }>;
  };
  if (getBrowserInfo) {
    const { name, version } = await getBrowserInfo.call(browser.runtime);
    return `${name} ${version}`;
  }
  const { userAgentData } = navigator as unknown as {
    userAgentData?: { brands: { brand: string; version: string }[] };
  };
  const brands = userAgentData?.brands.filter(({ brand }) => !/not.*brand/i.test(brand)) ?? [];
  const brand = brands.find((one) => one.brand !== 'Chromium') ?? brands[0];
  return brand ? `${brand.brand} ${brand.version}` : 'browser';
}
