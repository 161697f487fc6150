/** The script of the pages written at the build: menus, the notice for phones, the form, installing, help. They read without it. */
import { tellVersion, watchFeedback, watchPrint, watchSearch } from './features/help/help-script.ts';
import { watchForm } from './features/site/cooperation-form.ts';
import { keepSource, sourceNow } from './lib/campaign-source.ts';
import { watchMenus } from './lib/site-menu.ts';

const NOTICE = 'hx_phone_notice';

const header = document.querySelector('header');
if (header) watchMenus(header);

const source = new URLSearchParams(location.search).get('utm_source');
if (source) keepSource(source);

const form = document.querySelector<HTMLFormElement>('[data-cooperation]');
if (form) watchForm(form, sourceNow());

const search = document.querySelector<HTMLFormElement>('[data-help-search]');
if (search) watchSearch(search);
const feedback = document.querySelector<HTMLElement>('[data-help-feedback]');
if (feedback) watchFeedback(feedback);
const version = document.querySelector<HTMLElement>('[data-version-note]');
if (version) tellVersion(version, location.search);
const printing = document.querySelector<HTMLElement>('[data-print]');
if (printing) watchPrint(printing);

watchNotice();
watchInstall();

/** Closed once, gone for the visit. */
function watchNotice(): void {
  const notice = document.querySelector<HTMLElement>('[data-phone-notice]');
  if (!notice) return;
  try {
    notice.hidden = sessionStorage.getItem(NOTICE) !== null;
  } catch {
    notice.hidden = false;
  }
  const copy = notice.querySelector<HTMLElement>('[data-copy-link]');
  copy?.addEventListener('click', () => {
    navigator.clipboard.writeText(location.href).then(
      () => {
        copy.textContent = '已复制';
      },
      () => {
        copy.textContent = '请复制地址栏';
      },
    );
  });
  notice.querySelector('[data-close]')?.addEventListener('click', () => {
    notice.hidden = true;
    try {
      sessionStorage.setItem(NOTICE, '1');
    } catch {
      // Then it comes back with the next page.
    }
  });
}

/** Chromium's own offer to install, kept for the button of /client/; without one the steps are told. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

function watchInstall(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-install]');
  if (!button) return;
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    button.hidden = false;
    button.addEventListener('click', () => void (event as InstallOffer).prompt(), { once: true });
  });
  addEventListener('appinstalled', () => {
    button.hidden = true;
  });
}
