import type { Stamp } from './audit-stamp.ts';

/** Profile that a user has entered. An empty text means that the field is not set. */
export interface Profile {
  readonly userId: string;
  readonly displayName: string;
  /** Language of the user interface, `en` or `zh`. */
  readonly language: string;
  /** IANA name of a time zone, such as `Europe/Paris`. */
  readonly timeZone: string;
  /** Small profile picture of the user as a data URL. */
  readonly picture: string;
}

/** Data about a user that only the owner of the installation sees. */
export interface UserActivity {
  readonly userId: string;
  readonly displayName: string;
  readonly storedBytes: number;
  /** Time of the latest sign-in, call with a key, or write in Unix milliseconds; 0 if there is none. */
  readonly lastSeenAt: number;
}

/** Stores profiles. They are deleted with their users. */
export interface ProfileStore {
  /** Returns the user's profile. All texts in it are empty if no profile was saved. */
  profile(userId: string): Promise<Profile>;
  saveProfile(stamp: Stamp, profile: Profile): Promise<void>;
  /** Returns the stored bytes and the time of the last activity of every user who is not deleted. */
  listActivity(): Promise<UserActivity[]>;
}
