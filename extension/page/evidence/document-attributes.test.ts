import { expect, test } from 'vitest';
import { attributeTexts } from './document-attributes';
import { tagsOf } from './html-tags';

/** What the elements of a text say by their attributes. */
const said = (text: string) =>
  [...tagsOf(text)].flatMap((tag) =>
    tag && typeof tag !== 'string' && !tag.isEnd ? attributeTexts(tag) : [],
  );

test('an edited address, value of a button, name, kind or option is told', () => {
  for (const [before, after] of [
    ['<a href="/offers/tea">', '<a href="/offers/cake">'],
    ['<a href="/offers/2024">', '<a href="/offers/2025">'],
    ['<input type="submit" value="Send">', '<input type="submit" value="Order">'],
    ['<button value="send">', '<button value="order">'],
    ['<option value="de">', '<option value="at">'],
    ['<input type="radio" value="post">', '<input type="radio" value="shop">'],
    ['<img alt="A pot" src="/pot.png">', '<img alt="A cup" src="/pot.png">'],
    ['<img alt="A pot" src="/pot.png">', '<img alt="A pot" src="/cup.png">'],
    ['<p title="With tax">', '<p title="Without tax">'],
    ['<p title="Top 10">', '<p title="Top 5">'],
    ['<input placeholder="Town">', '<input placeholder="Street">'],
    ['<nav aria-label="Menu">', '<nav aria-label="Main menu">'],
    ['<form action="/order">', '<form action="/pay">'],
    ['<input type="text">', '<input type="email">'],
    ['<input name="town">', '<input name="street">'],
    ['<input>', '<input required>'],
    ['<a href="/a">', '<a href="/a" target="_blank">'],
    ['<p id="save">', '<p id="store">'],
    ['<p data-tip="Save it">', '<p data-tip="Store it">'],
    ['<a href="/help?t=general">', '<a href="/help?t=billing">'],
    ['<a href="/?v=intro&x=1">', '<a href="/?v=contact&x=1">'],
    ['<input type="number" max="10">', '<input type="number" max="20">'],
    ['<td colspan="2">', '<td colspan="3">'],
    ['<svg><use href="/icons.svg#cart"/></svg>', '<svg><use href="/icons.svg#bag"/></svg>'],
  ] as const)
    expect(said(after), after).not.toEqual(said(before));
});

test('states, looks, code, and what is made up for one load or counts rows is not told', () => {
  for (const [one, other] of [
    ['<input type="hidden" value="aGVsbG8">', '<input type="hidden" value="d29ybGQ">'],
    ['<input value="Ada">', '<input value="Grace">'],
    ['<input type="text" value="Ada">', '<input type="text" value="Grace">'],
    ['<a href="/a?session=ada&x=1">', '<a href="/a?session=grace&x=1">'],
    ['<a href="/a;jsessionid=1A2B3C4D5E">', '<a href="/a;jsessionid=9F8E7D6C5B">'],
    ['<img src="/a-3f9ab2c1d4.png?v=1a2">', '<img src="/a-77ce01bb9a.png?v=3b4">'],
    ['<img src="/a.png?t=1732694400123">', '<img src="/a.png?t=1732694400999">'],
    [
      '<img src="https://a.s3.test/a.png?X-Amz-Date=20261127T080000Z&X-Amz-Signature=ab&X-Amz-Credential=AKIA">',
      '<img src="https://a.s3.test/a.png?X-Amz-Date=20261127T090000Z&X-Amz-Signature=cd&X-Amz-Credential=AKIB">',
    ],
    [
      '<img src="/a.png?Expires=1764230400&Signature=a~b&Key-Pair-Id=K1">',
      '<img src="/a.png?Expires=1764234000&Signature=c~d&Key-Pair-Id=K2">',
    ],
    [
      '<img src="/a.png?sv=2022-11-02&se=2026-11-27T09%3A00Z&sig=ab">',
      '<img src="/a.png?sv=2022-11-02&se=2026-11-27T10%3A00Z&sig=cd">',
    ],
    [
      '<turbo-cable-stream-source signed-stream-name="IloybGt--ab">',
      '<turbo-cable-stream-source signed-stream-name="IloybGt--cd">',
    ],
    ['<li id="row-1" data-row="row 1">', '<li id="row-2" data-row="row 2">'],
    ['<li id="field_3f9ab2c1d4">', '<li id="field_77ce01bb9a">'],
    ['<p class="a" style="color: red" nonce="ada">', '<p class="b" style="color: blue" nonce="grace">'],
    ['<p onclick="go(a)">', '<p onclick="go(b)">'],
    ['<button aria-expanded="true" disabled>', '<button aria-expanded="false">'],
    ['<p data-csrf-token="ada">', '<p data-csrf-token="grace">'],
    [`<p data-page='{"flash": "Saved"}'>`, `<p data-page='{"flash": ""}'>`],
    ['<p data-v-1a2b3c data-source-loc="a.tsx:1">', '<p data-v-4d5e6f data-source-loc="a.tsx:2">'],
    ['<path d="M 1 2 H 3">', '<path d="M 1 2 V 3 H 4">'],
    ['<meta content="ada"><link href="/a.css">', '<meta content="grace"><link href="/b.css">'],
  ] as const)
    expect(said(other), other).toEqual(said(one));
});
