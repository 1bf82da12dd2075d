// Rules about addresses, proxies, certificates and registries.

import type { RuleRow } from '../rule.ts';

const gateway = ' 502; 503; 504; 403;bad gateway;service unavailable;gateway time';

export const networkRules: readonly RuleRow[] = [
  {
    has: 'econnrefused ::1',
    names: ['facts:net.localhost'],
    hints: ['tool:node', 'env:NODE_OPTIONS'],
    report: 'mysqljs/mysql/issues/2547',
  },
  {
    has: `::1;[::];eaddrnotavail;address family not supported;eafnosupport;af_inet6;ipv6;
      cannot assign requested address`,
    names: ['facts:net.ipv6', 'facts:net.localhost', 'facts:net.addressPreference'],
    hints: ['facts:net.hosts'],
    report: 'enarx-archive/tlssock/issues/8',
  },
  {
    has: ` enotfound;'enotfound';eai_again;getaddrinfo;could not resolve host;name resolution;
      name or service not known;no such host;unknown host;unknownhostexception;
      temporary failure resolving;server misbehaving;nxdomain;name does not resolve;
      nodename nor servname;no address associated`,
    names: ['facts:net.hosts', 'family:resolver', 'facts:net.nameSources'],
    hints: ['family:proxy', 'family:npm registry', 'family:python index'],
    report: 'facebook/wdt/issues/192',
  },
  {
    has: `proxyerror;via proxy;proxyconnect;407 proxy;proxy authentication;proxy request;proxy server;
      connect to proxy;proxy connect;through proxy;http_proxy;https_proxy;proxy_url;proxyurl;squid;
      tunnel connection failed;tunneling socket;proxy.;proxy:;proxies`,
    names: ['family:proxy'],
    report: 'apache/incubator-pagespeed-mod/issues/205',
  },
  {
    has: 'localhost;127.0.0.1',
    and: [gateway],
    names: ['family:proxy'],
    report: 'modelcontextprotocol/python-sdk/pull/1857',
  },
  {
    has: `bad gateway; 502; 503;remotedisconnected;max retries exceeded;connection refused;econnreset;
      etimedout;timed out;timeout;econnrefused`,
    names: [],
    hints: [
      'family:proxy',
      'family:npm registry',
      'family:python index',
      'facts:maven.mirrors',
      'facts:go.proxy',
      'env:GOPROXY',
      'facts:net.ipv6',
      'facts:docker.context',
    ],
    report: 'erikd/http-proxy/issues/8',
  },
  {
    has: `self_signed_cert;self signed certificate;self-signed certificate;unable_to_get_issuer;
      unable to get local issuer;unable_to_verify_leaf;unable to verify the first;
      certificate_verify_failed;certificate verify failed;unknown authority;ssl certificate problem;
      certificate signed by;cert_untrusted;invalid peer certificate;certificate verification failed;
      sslerror;cafile;unknown ca`,
    names: [
      'family:certificates',
      'facts:tls.certificates',
      'facts:tls.toolBundles',
      'package:ca-certificates',
      'facts:npm.strictSsl',
    ],
    hints: ['family:proxy', 'env:NODE_TLS_REJECT_UNAUTHORIZED', 'facts:git.http.sslVerify'],
    report: 'jasongin/nvs/issues/87',
  },
  {
    has: 'certificate;x509;ssl;tls:;tlsv;tls handshake;tls connection;tls alert;tls_;(tls',
    and: ['error;fail;exception;expired;invalid;refused;handshake;unable;cannot;could not;abort'],
    names: [],
    hints: [
      'family:certificates',
      'facts:tls.certificates',
      'package:ca-certificates',
      'family:openssl',
      'family:proxy',
    ],
    report: 'npm/npm/issues/6367',
  },
  {
    has: 'pkix path building;trustanchors parameter',
    names: ['facts:java.trustStore', 'package:ca-certificates-java'],
    hints: ['family:certificates', 'facts:tls.certificates', 'family:proxy'],
    report: 'docker-library/openjdk/issues/228',
  },
  {
    has: `dh key too small;ca md too weak;ee key too small;unsafe legacy renegotiation;unsupported protocol;
      legacy sigalg;no protocols available;handshake failure;wrong signature type;tlsv1 alert;sslv3 alert;
      no ciphers available;dh_key_too_small;legacy_renegotiation`,
    names: ['family:openssl', 'env:OPENSSL_CONF', 'runtimes:openssl'],
    report: 'racket/racket/issues/2748',
  },
  {
    has: 'npm err;npm error;err_pnpm_fetch;npmmirror;registry',
    and: ['http;registry;e404;e401;e403;etimedout;timeout'],
    names: ['family:npm registry', 'env:NPM_TOKEN', 'env:NODE_AUTH_TOKEN'],
    report: 'qinshihu/itops-agent-platform/pull/100',
  },
  {
    has: 'no matching version found;etarget',
    names: ['family:npm registry', 'facts:npm.before'],
    report: 'defunctzombie/node-url/issues/71',
  },
  {
    has: 'no matching distribution;could not find a version that satisfies',
    names: ['family:python index', 'tool:python', 'facts:pip.options'],
    hints: ['arch:arch', 'system:libc', 'tool:pip'],
    report: 'apache/libcloud/pull/1236',
  },
  {
    has: 'maven-default-http-blocker;blocked mirror',
    names: ['runtimes:maven', 'facts:maven.mirrors'],
    report: 'Riduidel/aadarchi/issues/168',
  },
  {
    has: 'could not transfer artifact;could not resolve dependencies;could not find artifact',
    names: ['facts:maven.mirrors', 'facts:maven.profiles'],
    hints: ['family:proxy', 'tool:java'],
    report: 'reposense/RepoSense/issues/2266',
  },
  {
    has: 'role ";authentication failed for user;access denied for user;no password supplied',
    names: ['env:PG*', 'env:POSTGRES_*', 'env:MYSQL_*', 'env:DATABASE_URL'],
    report: 'peter-evans/docker-compose-healthcheck/pull/22',
  },
  {
    has: `unauthorized;not authenticated;authentication;api key;api_key;apikey;credential; 401; 403;access token;
      secret`,
    and: ['error;fail;missing;invalid;must;denied;not ;no ;unable;cannot;exception'],
    names: [],
    hints: ['env:*_KEY', 'env:*_TOKEN', 'env:*_SECRET', 'env:*_PASSWORD', 'env:*_CREDENTIALS'],
    report: 'openonion/connectonion/pull/328',
  },
  {
    has: 'docker daemon;docker.sock;docker_engine;valid docker environment',
    names: ['env:DOCKER_HOST', 'runtimes:docker', 'env:DOCKER_CONTEXT'],
    hints: ['facts:docker.context'],
    report: 'testcontainers/testcontainers-java/issues/6165',
  },
  {
    has: `unable to locate credentials;nocredentialserror;config profile;profilenotfound;default credentials;
      credentialsprovidererror;expiredtoken;invalidclienttokenid;aws_;botocore;boto3;amazonaws`,
    names: ['env:AWS_*', 'env:GOOGLE_APPLICATION_CREDENTIALS'],
    report: 'aws/chalice/pull/208',
  },
];
