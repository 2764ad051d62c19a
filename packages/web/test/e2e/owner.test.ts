/** [finding P20] The owner's pages, and what a user says about themselves. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

describe("the owner's pages", async () => {
  const { sheaf, browser } = await journey();
  const page = await browser.signedIn(sheaf);

  test('[finding P20] people are listed with role, groups, storage and when they were seen; a second owner is made', async () => {
    const { user } = await sheaf.client.account.create_user({ name: 'ada' });
    const { group } = await sheaf.client.account.create_group({ name: 'Editors' });
    await sheaf.client.account.add_group_members({ group_id: group.group_id, user_ids: [user.user_id] });
    await page.goto(`${sheaf.url}/account/users`);
    const row = page.getByRole('listitem').filter({ hasText: 'ada' });
    await row.getByText('In Editors').waitFor();
    await row.getByText('0 bytes of 10 GB').waitFor();
    await row.getByText('Never seen').waitFor();
    await row.getByRole('button', { name: 'Actions for ada' }).click();
    await page.getByRole('menuitem', { name: 'Storage quota…' }).click();
    await page.getByLabel('Quota in GiB').fill('2');
    await page.getByRole('button', { name: 'Save' }).click();
    await row.getByText('0 bytes of 2 GB').waitFor();
    await row.getByRole('button', { name: 'Actions for ada' }).click();
    await page.getByRole('menuitem', { name: 'Make owner' }).click();
    await page.getByRole('button', { name: 'Make owner' }).click();
    await row.getByText('Owner', { exact: true }).waitFor();
    await takeScreenshot(page, 'owner-users');
    const hers = await browser.signedIn(sheaf, { userId: user.user_id });
    await hers.goto(`${sheaf.url}/account/users`);
    await hers.getByRole('button', { name: 'Add a user' }).waitFor();
    browser.expectClean();
  });

  test('[finding P20] what is not set up stands in one place, with what to do', async () => {
    await page.goto(`${sheaf.url}/account/setup`);
    const list = page.getByRole('list', { name: 'Setup' });
    const ocr = list.getByRole('listitem').filter({ hasText: 'Text in pictures' });
    await ocr.getByText('not set up').waitFor();
    await ocr.getByText('SHEAF_OCR=chi_sim').waitFor();
    expect(await list.getByRole('listitem').count()).toBe(7);
    await takeScreenshot(page, 'owner-setup');
    browser.expectClean();
  });

  test('[finding P20] the audit log speaks in words, leads to what was written, is filtered and downloaded', async () => {
    const { file_id } = await sheaf.client.manage.create_file({ title: 'Budget' });
    await sheaf.client.note.import_doc({ content_format: 1, content: '# Diary' });
    await page.goto(`${sheaf.url}/account/audit`);
    const table = page.getByRole('region', { name: 'Audit log' }).getByRole('table');
    const line = table.getByRole('row').filter({ hasText: 'Budget' });
    await line.getByText('Added').waitFor();
    await line.getByText('Spreadsheet').waitFor();
    expect(await line.getByRole('link', { name: 'Budget' }).getAttribute('href')).toBe(`/sheet/${file_id}`);
    await takeScreenshot(page, 'owner-audit');
    await page.getByRole('button', { name: 'Kind' }).click();
    await page.getByRole('menuitem', { name: 'Notes' }).click();
    await line.waitFor({ state: 'detached' });
    await table.getByRole('link', { name: 'Diary' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download (CSV)' }).click();
    const csv = readFileSync(await (await download).path(), 'utf8');
    expect(csv.split('\n')[0]).toBe('time,person,through,what,operation,title,id,reason');
    expect(csv).toContain('Added,note.import_doc,Diary');
    expect(csv).not.toContain('manage.');
    browser.expectClean();
  });

  test('[finding P20] a profile has a name, a picture and a time zone; a new password asks for the old one', async () => {
    const { user } = await sheaf.client.account.create_user({ name: 'grace', password: 'seven quiet herons' });
    const hers = await browser.open();
    await hers.goto(sheaf.url);
    await hers.getByLabel('Name').fill('grace');
    await hers.getByLabel('Password').fill('seven quiet herons');
    await hers.getByRole('button', { name: 'Sign in', exact: true }).click();
    await hers.getByRole('heading', { name: 'Hello, grace' }).waitFor();
    await hers.goto(`${sheaf.url}/account/profile`);
    await hers.getByLabel('Display name').fill('Grace Hopper');
    await hers.getByLabel('Time zone').fill('lisb');
    await hers.getByRole('option', { name: 'Europe/Lisbon' }).click();
    await hers.getByRole('button', { name: 'Save', exact: true }).click();
    await hers.getByText('Your profile is saved.').first().waitFor();
    await hers.getByRole('navigation', { name: 'Main' }).getByText('Grace Hopper').waitFor();
    const [chooser] = await Promise.all([
      hers.waitForEvent('filechooser'),
      hers.getByRole('button', { name: 'Choose a picture' }).click(),
    ]);
    await chooser.setFiles({
      name: 'me.png',
      mimeType: 'image/png',
      buffer: Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    });
    await hers.getByRole('img', { name: 'Your picture' }).waitFor();
    await takeScreenshot(hers, 'owner-profile');
    const set = hers.getByRole('button', { name: 'Set password' });
    await hers.getByLabel('New password', { exact: true }).fill('nine loud herons');
    await hers.getByLabel('New password again').fill('nine loud heron');
    await hers.getByText('The two passwords differ.').waitFor();
    await hers.getByLabel('New password again').fill('nine loud herons');
    expect(await set.isDisabled()).toBe(true);
    await hers.getByLabel('Current password').fill('seven quiet heron');
    await set.click();
    await hers.getByText('is not the current password').waitFor();
    await hers.getByLabel('Current password').fill('seven quiet herons');
    await set.click();
    await hers.getByText('The password is set.').waitFor();
    const listed = (await sheaf.client.account.list_users({})).users.find((one) => one.user_id === user.user_id);
    expect(listed?.display_name).toBe('Grace Hopper');
    // The browser itself reports the status of the refused password.
    expect(browser.takeFaults().filter((fault) => !fault.includes('set_password'))).toEqual([]);
  });
});
