/** As explorers name them, in lower case: money sent back there reaches the exchange, not its customer. */
export const exchangeWallets: readonly string[] = [
  // Binance
  '0x8894e0a0c962cb723c1976a4421c95949be2d4e3',
  '0xe2fc31f816a9b94326492132018c3aecc4a93ae1',
  '0x3c783c21a0383057d128bae431894a5c19f9cf06',
  '0xdccf3b77da55107280bd850ea519df3705d1a75a',
  '0x01c952174c24e1210d26961d456a77a39e1f0bb0',
  '0x161ba15a5f335c9f06bb5bbb0a9ce14076fbb645',
  '0x515b72ed8a97f42c568d6a143232775018f133c8',
  '0xa180fe01b906a1be37be6c534a3300785b20d947',
  '0x29bdfbf7d27462a2d115748ace2bd71a2646946c',
  '0xf977814e90da44bfa03b6295a0616a897441acec',
  // Bybit
  '0xf89d7b9c864f589bbf53a82105107622b35eaa40',
  // Gate
  '0x0d0707963952f2fba59dd06f2b425ace40b492fe',
  // KuCoin
  '0xd6216fc19db775df9774a6e33526131da7d19a2c',
  '0x2b5634c42055806a59e9107ed44d43c426e58258',
  // MEXC
  '0x4982085c9e2f89f2ecb8131eca71afad896e89cb',
  // Bitget
  '0x1ab4973a48dc892cd9971ece8e01dcc7688f8f23',
]
