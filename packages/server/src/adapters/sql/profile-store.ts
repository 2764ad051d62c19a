import type { Stamp } from '../../ports/audit-stamp.ts';
import type { Profile, ProfileStore, UserActivity } from '../../ports/profile-store.ts';
import type { Database } from './database.ts';
import { rowMapper, type Row } from './row.ts';
import { raw, sql } from './statement.ts';

const columns = 'user_id, display_name, language, time_zone, picture';
const toProfile = rowMapper<Profile>()(columns);
const toActivity = rowMapper<UserActivity>()('user_id, display_name, stored_bytes, last_seen_at');

/**
 * Selects each user who is not deleted, with the bytes stored and the time of the last activity. The last activity is
 * the latest of the last use of an API key, the last sign-in and the last write. All three are found by indexes, so
 * that the query is fast.
 */
const listActivity = `SELECT u.id AS user_id, COALESCE(p.display_name, '') AS display_name,
  COALESCE((SELECT s.bytes FROM storage_use s WHERE s.user_id = u.id), 0) AS stored_bytes,
  COALESCE((SELECT MAX(t.at) FROM (
    SELECT MAX(k.last_used_at) AS at FROM api_key k WHERE k.user_id = u.id
    UNION ALL SELECT MAX(w.created_at) FROM web_session w WHERE w.user_id = u.id
    UNION ALL SELECT a.at FROM audit a WHERE a.id = (SELECT MAX(b.id) FROM audit b WHERE b.user_id = u.id)) t), 0)
    AS last_seen_at
  FROM user_account u LEFT JOIN user_profile p ON p.user_id = u.id WHERE u.state <> 'deleted'`;

export class SqlProfileStore implements ProfileStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async profile(userId: string): Promise<Profile> {
    const row = await this.#db.get<Row<Profile>>(sql`SELECT ${raw(columns)} FROM user_profile
      WHERE user_id = ${userId}`);
    return row ? toProfile(row) : { userId, displayName: '', language: '', timeZone: '', picture: '' };
  }

  async saveProfile(stamp: Stamp, profile: Profile): Promise<void> {
    const { userId, displayName, language, timeZone, picture } = profile;
    await this.#db.write(stamp, { target: userId }, (tx) =>
      tx.run(sql`INSERT INTO user_profile (user_id, display_name, language, time_zone, picture)
        VALUES (${userId}, ${displayName}, ${language}, ${timeZone}, ${picture})
        ON CONFLICT (user_id) DO UPDATE SET display_name = excluded.display_name, language = excluded.language,
        time_zone = excluded.time_zone, picture = excluded.picture`),
    );
  }

  async listActivity(): Promise<UserActivity[]> {
    return (await this.#db.all<Row<UserActivity>>(listActivity)).map(toActivity);
  }
}
