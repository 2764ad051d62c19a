import { Worker } from 'node:worker_threads';
import { inBackground, later } from '../../lib/background.ts';
import type { Passwords } from '../../ports/passwords.ts';
import { Unavailable } from '../../ports/unavailable.ts';

export interface PasswordTask {
  id: number;
  password: string;
  /** The hash to compare with; without one, a hash is made. */
  stored?: string;
}

export interface PasswordAnswer {
  id: number;
  hash?: string;
  matches?: boolean;
  error?: string;
}

interface Waiting {
  task: PasswordTask;
  resolve: (answer: PasswordAnswer) => void;
  reject: (error: Error) => void;
}

const maxWaiting = 64;
const idleMs = 30_000;

/**
 * One thread that hashes passwords, one after the other. Hashing takes tens of milliseconds and 19 MiB each; in Node's
 * own pool it would stand in the way of every sync of the database's log. Started when first needed, ended when idle.
 */
export class PasswordThread implements Passwords {
  readonly #script: string | URL;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #nextId = 1;

  constructor(script: string | URL) {
    this.#script = script;
  }

  async hash(password: string): Promise<string> {
    return (await this.#ask({ password })).hash!;
  }

  async matches(stored: string, password: string): Promise<boolean> {
    return (await this.#ask({ password, stored })).matches!;
  }

  async close(): Promise<void> {
    await this.#end(new Unavailable('the server stops'));
  }

  #ask(asked: Omit<PasswordTask, 'id'>): Promise<PasswordAnswer> {
    if (this.#waiting.size >= maxWaiting)
      return Promise.reject(new Unavailable('too many passwords wait to be checked'));
    const task = { ...asked, id: this.#nextId++ };
    clearTimeout(this.#idle);
    return new Promise((resolve, reject) => {
      this.#waiting.set(task.id, { task, resolve, reject });
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#worker.postMessage(task);
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#script, { env: {}, argv: [], execArgv: [], stdout: true, stderr: true });
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', (answer: PasswordAnswer) => this.#settle(answer));
    const lost = (error?: unknown): void => {
      if (this.#worker === worker)
        inBackground('ending a lost password thread', () =>
          this.#end(new Unavailable('the thread that hashes passwords ended', error)),
        );
    };
    worker.on('error', lost);
    worker.on('exit', () => lost());
    return worker;
  }

  #settle(answer: PasswordAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.error === undefined) waiting?.resolve(answer);
    else waiting?.reject(new Error(answer.error));
    if (this.#waiting.size > 0) return;
    this.#worker?.unref();
    this.#idle = later('ending the idle password thread', idleMs, () =>
      this.#end(new Unavailable('the thread was idle')),
    ).unref();
  }

  async #end(reason: Error): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
    await worker?.terminate();
  }
}
