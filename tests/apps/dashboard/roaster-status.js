/** The roaster at work, in a shadow root of its own. */
class RoasterStatus extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      :host { display: block; }
      h2 { margin: 0 0 6px; font-size: 13px; }
      p { margin: 0; font-size: 12px; opacity: .75; }
      meter { width: 100%; height: 12px; margin: 6px 0; }
      button { font: inherit; font-size: 12px; padding: 3px 10px; border: 1px solid currentcolor; border-radius: 7px; background: none; color: inherit; }
      div { display: flex; justify-content: space-between; align-items: center; margin-top: 4px; }
    `);
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    const title = document.createElement('h2');
    title.textContent = 'Roaster';
    const batch = document.createElement('p');
    batch.textContent = `${this.getAttribute('batch')}, drum at ${this.getAttribute('drum')} °C`;
    const meter = document.createElement('meter');
    meter.min = 0;
    meter.max = 14;
    meter.value = Number(this.getAttribute('minutes'));
    meter.setAttribute('aria-label', 'Minutes roasted');
    const row = document.createElement('div');
    const time = document.createElement('p');
    time.textContent = `minute ${this.getAttribute('minutes')} of 14`;
    const pause = document.createElement('button');
    pause.type = 'button';
    pause.id = 'pause';
    pause.textContent = 'Pause';
    row.append(time, pause);
    root.append(title, batch, meter, row);
  }
}
customElements.define('roaster-status', RoasterStatus);
