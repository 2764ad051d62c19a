import type { DomElement } from './dom-types.ts';

const roles = new Set(['navigation', 'menu', 'menubar', 'toolbar']);
/** Class names and ids that web pages use for menus instead of a nav element. */
const names = new Set(
  `nav navbar navigation navigations menu menubar mainmenu mainnav main-menu main-nav main-navigation topnav top-nav
top-menu site-nav site-navigation sidenav side-nav sidebar-nav sitemap breadcrumb breadcrumbs crumbs pagination pager
skip-link skip-links skiplinks`.split(/\s+/),
);
/** Elements that can count as a menu by their class or id. */
const boxes = new Set(['ASIDE', 'DIV', 'DL', 'FOOTER', 'HEADER', 'OL', 'P', 'SECTION', 'TABLE', 'UL', 'A', 'SPAN']);
/**
 * Minimum share of an element's text that must be inside links for the element to count as a menu. Its class or id
 * must match `names` as well.
 */
const linkShare = 0.7;

/**
 * Returns whether an element seems to contain only navigation (links to other pages or to parts of the page), judged by
 * its tag, role, class and id.
 */
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
