/** [finding Q21] Checks that the Kubernetes manifests match the code, and that a server starts with their settings. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '@sheaf/server/config.ts';
import { startServer } from '../../testing/test-server.ts';

const deploy = fileURLToPath(new URL('../../../deploy', import.meta.url));

interface Probe {
  httpGet: { path: string; port: string };
  timeoutSeconds?: number;
}
interface Container {
  image: string;
  envFrom: ({ configMapRef: { name: string } } | { secretRef: { name: string } })[];
  ports: { name: string; containerPort: number }[];
  startupProbe: Probe;
  readinessProbe: Probe;
  livenessProbe: Probe;
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string; mountPath: string }[];
}
type Labels = Record<string, string>;
interface Manifests {
  ConfigMap: { metadata: { name: string }; data: Record<string, string> };
  Deployment: {
    spec: {
      replicas: number;
      selector: { matchLabels: Labels };
      template: {
        metadata: { labels: Labels };
        spec: {
          terminationGracePeriodSeconds: number;
          securityContext: Record<string, unknown>;
          containers: Container[];
          volumes: { name: string }[];
        };
      };
    };
  };
  Service: { spec: { selector: Labels; ports: { targetPort: string }[] } };
  PodDisruptionBudget: { spec: { minAvailable: number; selector: { matchLabels: Labels } } };
}

let manifests: Manifests;
let secret: { metadata: { name: string }; stringData: Record<string, string> };
let dockerfile: string;

beforeAll(async () => {
  const read = (name: string) => readFile(join(deploy, name), 'utf8');
  const documents = parseAllDocuments(await read('kubernetes/sheaf.yaml')).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as { kind: string };
  });
  manifests = Object.fromEntries(documents.map((document) => [document.kind, document])) as unknown as Manifests;
  secret = parse(await read('kubernetes/secret.example.yaml')) as typeof secret;
  dockerfile = await read('image/Dockerfile');
});

test('[finding Q21] every setting is one that the server takes, and passwords are in the secret alone', () => {
  const { data } = manifests.ConfigMap;
  const settings = { ...data, ...secret.stringData };
  expect(() => readConfig(settings)).not.toThrow();
  const config = readConfig(settings) as unknown as Record<string, unknown>;
  for (const name of Object.keys(settings)) expect([name, config[name] !== undefined]).toEqual([name, true]);
  for (const name of Object.keys(data)) expect(name).not.toMatch(/SECRET|PASSPHRASE|TOKEN|ACCESS_KEY|DATABASE_URL/);
  const [container] = manifests.Deployment.spec.template.spec.containers;
  expect(container!.envFrom).toEqual([
    { configMapRef: { name: manifests.ConfigMap.metadata.name } },
    { secretRef: { name: secret.metadata.name } },
  ]);
});

test('[finding Q21] ports, volumes and labels fit the image and each other', () => {
  const { selector, template, replicas } = manifests.Deployment.spec;
  const [container] = template.spec.containers;
  expect(dockerfile).toContain(`EXPOSE ${container!.ports[0]!.containerPort}\n`);
  expect(dockerfile).toContain(`SHEAF_PORT=${container!.ports[0]!.containerPort} `);
  expect(manifests.Service.spec.ports[0]!.targetPort).toBe(container!.ports[0]!.name);
  for (const labels of [
    selector.matchLabels,
    manifests.Service.spec.selector,
    manifests.PodDisruptionBudget.spec.selector.matchLabels,
  ])
    expect(template.metadata.labels).toMatchObject(labels);
  expect(container!.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp']);
  expect(container!.volumeMounts.map(({ name }) => name)).toEqual(template.spec.volumes.map(({ name }) => name));
  expect(replicas).toBeGreaterThan(manifests.PodDisruptionBudget.spec.minAvailable);
  // At shutdown the server waits up to nine seconds for its last responses.
  expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(15);
  expect(container!.image).toMatch(/:\d+\.\d+\.\d+$/);
});

test('[finding Q21] the pods run as nobody special', () => {
  const { securityContext, containers } = manifests.Deployment.spec.template.spec;
  expect(securityContext).toMatchObject({
    runAsNonRoot: true,
    runAsUser: 1000,
    seccompProfile: { type: 'RuntimeDefault' },
  });
  expect(containers[0]!.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
});

test('[finding Q21] the probes ask what a server answers, within their time', { timeout: 120_000 }, async () => {
  const server = await startServer({ database: 'postgres', blobs: 's3' });
  onTestFinished(() => server.close());
  const [container] = manifests.Deployment.spec.template.spec.containers;
  const { startupProbe, readinessProbe, livenessProbe } = container!;
  expect([startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet.path)).toEqual([
    '/healthz',
    '/readyz',
    '/healthz',
  ]);
  for (const { httpGet, timeoutSeconds = 1 } of [startupProbe, readinessProbe, livenessProbe]) {
    expect(httpGet.port).toBe('http');
    const response = await fetch(server.url + httpGet.path, { signal: AbortSignal.timeout(timeoutSeconds * 1000) });
    expect(response.status).toBe(200);
  }
});
