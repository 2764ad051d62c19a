import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

describe('sharing', async () => {
  const { sheaf, browser } = await journey();
  const page = await browser.signedIn(sheaf);
  const newUser = async (name: string): Promise<string> =>
    (await sheaf.client.account.create_user({ name })).user.user_id;
  const imported = async (content: string, folder?: string): Promise<string> =>
    (
      await sheaf.client.note.import_doc({
        content_format: 1,
        content,
        ...(folder === undefined ? {} : { folder_id: folder }),
      })
    ).note_id;
  const textOf = async (id: string): Promise<string> => (await sheaf.client.note.export_note({ note_id: id })).content;

  test('[T90] a group is made, given members, and loses one', async () => {
    await newUser('grace');
    await newUser('linus');
    await page.goto(`${sheaf.url}/account/groups`);
    await page.getByRole('heading', { name: 'No groups yet' }).waitFor();
    await page.getByRole('button', { name: 'New group' }).click();
    await page.getByLabel('Group name').fill('Editors');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Members of Editors' });
    for (const name of ['grace', 'linus']) {
      await dialog.getByLabel('Add a member').selectOption({ label: name });
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await dialog.getByRole('list').getByText(name).waitFor();
    }
    await takeScreenshot(page, 'group-members');
    await dialog.getByRole('button', { name: 'Remove linus' }).click();
    await dialog.getByRole('list').getByText('linus').waitFor({ state: 'detached' });
    const [group] = (await sheaf.client.account.list_groups({})).groups;
    expect(group).toMatchObject({ name: 'Editors', member_count: 1 });
    browser.expectClean();
  });

  test('a note is shared by the dialog with a group, with everyone and with a person, and no longer', async () => {
    const id = await imported('# Common plan\n\nwords');
    await page.goto(`${sheaf.url}/notes/${id}`);
    await page.getByRole('button', { name: 'Actions for Common plan' }).click();
    await page.getByRole('menuitem', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share “Common plan”' });
    await dialog.getByText('Nobody else has access.').waitFor();
    const share = dialog.getByRole('button', { name: 'Share', exact: true });
    await dialog.getByLabel('Share with').selectOption('group');
    await dialog.getByLabel('Role', { exact: true }).selectOption('comment');
    await share.click();
    const members = dialog.getByRole('list', { name: 'Members' });
    await members.getByText('Editors').waitFor();
    await dialog.getByLabel('Share with').selectOption('everyone');
    await share.click();
    await members.getByText('Everyone signed in').waitFor();
    await dialog.getByLabel('Share with').selectOption('user');
    await dialog.getByLabel('User name').fill('linus');
    await dialog.getByLabel('Role', { exact: true }).selectOption('write');
    await share.click();
    await members.getByText('linus').waitFor();
    await takeScreenshot(page, 'share-note');
    const shares = async (): Promise<string[]> =>
      (await sheaf.client.sharing.list_shares({ kind: 'note', id })).shares.map(
        ({ with: kind, name, role }) => `${kind} ${name} ${role}`,
      );
    expect(await shares()).toEqual(['user linus write', 'group Editors comment', 'everyone  read']);
    await members.getByLabel('Role of Editors').selectOption('read');
    await members.getByRole('button', { name: 'Remove Everyone signed in' }).click();
    await members.getByText('Everyone signed in').waitFor({ state: 'detached' });
    await expect.poll(shares).toEqual(['user linus write', 'group Editors read']);
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByRole('button', { name: 'Copy: Address of the link' }).waitFor();
    await page.keyboard.press('Escape');
    browser.expectClean();
  });

  test('what is shared with me is listed, and each kind opens', async () => {
    const heidi = await newUser('heidi');
    const theirs = await browser.signedIn(sheaf, { userId: heidi, colorScheme: 'dark' });
    await theirs.goto(`${sheaf.url}/`);
    await theirs.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Shared' }).click();
    await theirs.getByRole('heading', { name: 'Nothing is shared with you' }).waitFor();
    const note = await imported('# Single note\n\nalone');
    const { folder } = await sheaf.client.note.add_notebook({ name: 'Recipes' });
    await imported('# Soup\n\nwater', folder.folder_id);
    const { file_id } = await sheaf.client.manage.create_file({ title: 'Costs' });
    const { knowledge_base_id } = await sheaf.client.wiki.create_knowledge_base({ name: 'Library' });
    for (const [kind, id] of [
      ['note', note],
      ['notebook', folder.folder_id],
      ['sheet', file_id],
      ['base', knowledge_base_id],
    ] as const)
      await sheaf.client.sharing.share({ kind, id, user_id: heidi, role: 'read' });
    await theirs.reload();
    const list = theirs.getByRole('list', { name: 'Shared with me' });
    await list.getByText('Costs').waitFor();
    await takeScreenshot(theirs, 'shared-with-me-dark');
    await list.getByRole('link', { name: /Recipes/ }).click();
    await list.getByRole('link', { name: /Soup/ }).click();
    await theirs.getByRole('region', { name: 'Text of the note' }).getByText('water').waitFor();
    await theirs.goto(`${sheaf.url}/shared`);
    await list.getByRole('link', { name: /Costs/ }).click();
    await theirs.waitForURL(`**/sheet/${file_id}`);
    await theirs.goto(`${sheaf.url}/shared`);
    await list.getByRole('link', { name: /Library/ }).click();
    await theirs.waitForURL(`**/wiki/${knowledge_base_id}`);
    browser.expectClean();
  });

  test('a reader sees changes as they are made and cannot write; an editor writes; access ends at once', async () => {
    const ivan = await newUser('ivan');
    const id = await imported('# Minutes\n\nfirst');
    const shared = { kind: 'note' as const, id, user_id: ivan };
    await sheaf.client.sharing.share({ ...shared, role: 'read' });
    const theirs = await browser.signedIn(sheaf, { userId: ivan });
    await theirs.goto(`${sheaf.url}/notes/${id}`);
    const text = theirs.getByRole('region', { name: 'Text of the note' });
    await text.getByText('first').waitFor();
    await theirs.getByText(/View only · Shared by/).waitFor();
    expect(await theirs.locator('[contenteditable=true], textarea').count()).toBe(0);
    await theirs.waitForTimeout(300);
    await sheaf.client.note.update_note({ note_id: id, content: '# Minutes\n\nsecond' });
    // Sooner than the page would ask by itself.
    await text.getByText('second').waitFor({ timeout: 8000 });

    await sheaf.client.sharing.share({ ...shared, role: 'write' });
    await theirs.reload();
    await theirs.locator('.ProseMirror[contenteditable=true]').waitFor();
    await theirs.locator('.ProseMirror p').first().click();
    await theirs.keyboard.press('End');
    await theirs.keyboard.type(' and third');
    await expect.poll(() => textOf(id)).toBe('# Minutes\n\nsecond and third');
    await theirs.getByRole('button', { name: 'Actions for Minutes' }).click();
    await theirs.getByRole('menuitem', { name: 'History' }).waitFor();
    expect(await theirs.getByRole('menuitem', { name: /^(Share|Delete)$/ }).count()).toBe(0);
    browser.expectClean();

    await sheaf.client.sharing.unshare(shared);
    await theirs.reload();
    await theirs.getByText('This note does not exist, or it is not shared with you').waitFor();
    browser.takeFaults();
  });
});
