import type { BlockRule } from "./firewall.js";

/** Services that relay any other page, so that they would undo every rule. Kept by hand; `docs/firewall.md` says what is not covered. */
const RELAYS: Readonly<Record<string, string>> = {
  archive: `
    web.archive.org wayback.archive.org web-beta.archive.org archive.org/wayback archive.org/web archive.org/details/web
    archive.today archive.is archive.ph archive.li archive.vn archive.fo archive.md archive.ec archiveofsins.com
    archivecaslytosk.onion ghostarchive.org perma.cc webcitation.org timetravel.mementoweb.org mementoweb.org
    oldweb.today conifer.rhizome.org webrecorder.net replayweb.page archive-it.org arquivo.pt vefsafn.is megalodon.jp
    webarchive.org.uk webarchive.nationalarchives.gov.uk webarchive.loc.gov webarchive.nla.gov.au trove.nla.gov.au/webarchive
    webarchives.cdlib.org web.archive.bibalex.org webarchive.nrscotland.gov.uk webharvest.gov swap.stanford.edu
    langzeitarchivierung.bib-bvb.de freezepage.com archive.st peeep.us screenshots.com urlscan.io commoncrawl.org
    dataverse.org/archive softwareheritage.org`,
  cache: `
    webcache.googleusercontent.com cc.bingj.com hghltd.yandex.net yandexwebcache.net yandexwebcache.org cachedview.com
    cachedview.nl cachedpages.com cached.page coralcdn.org nyud.net cdn.ampproject.org google.com/amp bing-amp.com
    amp.cloudflare.com search.yahoo.com/cache google.com/gwt 12ft.io 1ft.io removepaywall.com removepaywalls.com
    smry.ai outline.com txtify.it textise.net printfriendly.com`,
  reader: `
    r.jina.ai s.jina.ai jina.ai/reader pure.md md.dhr.wtf urltomarkdown.com urltomarkdown.herokuapp.com
    fuckyeahmarkdown.com markdowner.dev api.firecrawl.dev app.scrapingbee.com api.scraperapi.com api.microlink.io
    mercury.postlight.com validator.w3.org webpagetest.org pagespeed.web.dev`,
  translator: `
    translate.goog translate.google.com translate.googleusercontent.com translate.yandex.com translate.yandex.ru translate.yandex.net
    microsofttranslator.com translatetheweb.com bing.com/translator translate.baidu.com fanyi.baidu.com fanyi.youdao.com
    papago.naver.net papago.naver.com/website translate.sogoucdn.com translatewebsite.net`,
  proxy: `
    corsproxy.io cors-anywhere.herokuapp.com cors-anywhere.com allorigins.win thingproxy.freeboard.io api.codetabs.com
    cors.sh cors.io cors.eu.org cors.lol crossorigin.me whateverorigin.org jsonp.afeld.me yacdn.org cors.bridged.cc
    proxy.cors.sh everyorigin.jwvbremen.nl images.weserv.nl wsrv.nl croxyproxy.com croxyproxy.net croxyproxy.rocks proxysite.com
    kproxy.com hidester.com hide.me/proxy 4everproxy.com proxyium.com blockaway.net hidemyass.com vpnbook.com
    weboproxy.com plainproxies.com unblock-it.com freeproxy.win duckduckgo.com/l ghproxy.com ghproxy.net gh-proxy.com
    mirror.ghproxy.com ghfast.top tor2web.org onion.ws onion.ly`,
  "name for an address": "nip.io sslip.io xip.io traefik.me localtest.me lvh.me ip6.name",
};

/** The block list that every run has. */
export const RELAY_RULES: readonly BlockRule[] = Object.entries(RELAYS).flatMap(([why, hosts]) =>
  hosts
    .trim()
    .split(/\s+/)
    .map((block) => ({ block, why })),
);
