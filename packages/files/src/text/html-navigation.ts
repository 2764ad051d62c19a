import type { DomElement } from './dom-types.ts';

const roles = new Set(['navigation', 'menu', 'menubar', 'toolbar']);
/** Names that pages without a nav element give to their menus. */
const names = new Set(
  `nav navbar navigation navigations menu menubar mainmenu mainnav main-menu main-nav main-navigation topnav top-nav
top-menu site-nav site-navigation sidenav side-nav sidebar-nav sitemap breadcrumb breadcrumbs crumbs pagination pager
skip-link skip-links skiplinks`.split(/\s+/),
);
/** Elements that may be a menu by their name. */
const boxes = new Set(['ASIDE', 'DIV', 'DL', 'FOOTER', 'HEADER', 'OL', 'P', 'SECTION', 'TABLE', 'UL', 'A', 'SPAN']);
/** Share of an element's text inside links from which an element named like a menu is one. */
const linkShare = 0.7;

/** Returns whether an element only leads to other pages or parts of the page. */
export function isNavigation(element: DomElement): boolean {
  const tag = element.nodeName.toUpperCase();
  if (tag === 'NAV' || roles.has((element.getAttribute('role') ?? '').trim().toLowerCase())) return true;
  if (!boxes.has(tag)) return false;
  const tokens = `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`
    .toLowerCase()
    .split(/\s+/);
  return tokens.some((token) => names.has(token)) && isMostlyLinks(element, tag);
}

function isMostlyLinks(element: DomElement, tag: string): boolean {
  if (tag === 'A') return true;
  const length = (text: string | null): number => (text ?? '').replace(/\s+/g, '').length;
  const all = length(element.textContent);
  let linked = 0;
  for (const link of element.querySelectorAll('a')) linked += length(link.textContent);
  return all > 0 && linked >= all * linkShare;
}
